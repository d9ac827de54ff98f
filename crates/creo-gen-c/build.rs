fn main() {
    creo_embed::embed("c");
}
