fn main() {
    creo_embed::embed("java", &[("JMS", "java-jms/emit.txt")]);
}
