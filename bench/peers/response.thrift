namespace java creo.bench.gen.thrift
namespace py response_thrift
namespace c_glib response_thrift

struct Block {
  1: required double d,
  2: required i16 s
}

service Response {
  i32 putNumbers(1: list<Block> blocks),
  i32 putStrings(1: list<string> items),
  i32 putBytes(1: binary data)
}
