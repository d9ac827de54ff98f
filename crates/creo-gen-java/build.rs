fn main() {
    creo_embed::embed_with("java", &[("JMS", "java-jms/emit.txt")]);
}
