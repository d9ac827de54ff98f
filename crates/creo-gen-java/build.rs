fn main() {
    let modules = [
        ("JMS", "java-jms/emit.txt"),
        ("JMS_BROKER", "java-jms-broker/emit.txt"),
        ("OPEN_TELEMETRY", "java-opentelemetry/emit.txt"),
        ("WSS", "java-wss/emit.txt"),
    ];
    creo_embed::embed("java", &modules);
}
