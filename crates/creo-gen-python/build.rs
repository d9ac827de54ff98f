fn main() {
    creo_embed::embed_with("python", &[("JMS", "python/emit-jms.txt")]);
}
