fn main() {
    creo_embed::embed("java", &[("JMS", "java-jms/emit.txt"), ("JMS_BROKER", "java-jms-broker/emit.txt")]);
}
