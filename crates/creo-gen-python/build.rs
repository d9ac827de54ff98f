fn main() {
    creo_embed::embed("python", &[("JMS", "python/emit-jms.txt")]);
}
