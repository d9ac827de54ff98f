fn main() {
    creo_embed::embed(
        "python",
        &[
            ("JMS", "python/emit-jms.txt"),
            ("OPEN_TELEMETRY", "python/emit-opentelemetry.txt"),
            ("WSS", "python/emit-wss.txt"),
        ],
    );
}
