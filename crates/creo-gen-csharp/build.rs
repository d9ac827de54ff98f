fn main() {
    creo_embed::embed(
        "csharp",
        &[
            ("JMS", "csharp/emit-jms.txt"),
            ("OPEN_TELEMETRY", "csharp/emit-opentelemetry.txt"),
            ("WSS", "csharp/emit-wss.txt"),
        ],
    );
}
