module both {
    requires org.example.lab;
    requires org.example.stock;
    requires org.example.twin;
}
