fn main() {
    creo_embed::embed("java");
}
