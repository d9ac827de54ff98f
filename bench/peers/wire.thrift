namespace java creo.bench.gen.thrift
namespace py wire_thrift
namespace c_glib wire_thrift

struct Block {
  1: required double d,
  2: required i16 s
}

struct Numbers { 1: required list<Block> blocks }

struct Strings { 1: required list<string> items }

struct Bytes { 1: required binary data }

struct Reals { 1: required list<double> values }
