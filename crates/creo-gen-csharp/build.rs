fn main() {
    creo_embed::embed("csharp", &[("JMS", "csharp/emit-jms.txt")]);
}
