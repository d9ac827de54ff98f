fn main() {
    creo_embed::embed("csharp");
}
