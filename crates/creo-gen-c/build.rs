fn main() {
    creo_embed::embed("c", &[("JMS", "c/emit-jms.txt"), ("WSS", "c/emit-wss.txt")]);
}
