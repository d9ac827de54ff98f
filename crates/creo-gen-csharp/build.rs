fn main() {
    creo_embed::embed_with("csharp", &[("JMS", "csharp/emit-jms.txt")]);
}
