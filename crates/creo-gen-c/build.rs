fn main() {
    creo_embed::embed_with("c", &[("JMS", "c/emit-jms.txt")]);
}
