fn main() {
    creo_embed::embed("python");
}
