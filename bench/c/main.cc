// A benchmark in C, of the binary or of the text wires, under Google Benchmark. Peers are interleaved at random by the library's own option.
//
//   PROGRAM --workloads=numbers,strings --sizes=100,1000 --peers=creo,hand --check [Google Benchmark's options]
//
// Each cell's round trip is checked before anything is timed; --check stops there and prints one JSON line a cell: its bytes and their CRC-32.

#include <benchmark/benchmark.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "bench.h"

namespace {

/** One peer with one workload of one size. */
struct Cell {
    const peer *who;
    const values *what;
    std::string workload, size;
    void *state;
    std::vector<uint8_t> out;
    std::vector<uint8_t> message;
};

std::vector<std::string> Split(const std::string &text) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, ',');) {
        parts.push_back(part);
    }
    return parts;
}

[[noreturn]] void Fail(const Cell &cell, const char *what) {
    std::fprintf(stderr, "c: %s does not %s %s of %s\n", cell.who->name, what, cell.workload.c_str(), cell.size.c_str());
    std::exit(1);
}

uint32_t Crc(const std::vector<uint8_t> &bytes) {
    uint32_t crc = 0xffffffffu;
    for (uint8_t byte : bytes) {
        crc ^= byte;
        for (int i = 0; i < 8; i++) {
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
        }
    }
    return ~crc;
}

std::shared_ptr<Cell> MakeCell(const peer *who, const std::string &workload, const std::string &size) {
    auto cell = std::make_shared<Cell>();
    cell->who = who;
    cell->workload = workload;
    cell->size = size;
    cell->what = values_named(workload.c_str(), size.c_str());
    if (cell->what == nullptr) {
        Fail(*cell, "know");
    }
    cell->state = who->create(cell->what);
    cell->out.resize(capacity_of(cell->what));
    size_t written = who->serialize(cell->state, cell->out.data(), cell->out.size());
    if (written == 0) {
        Fail(*cell, "serialize");
    }
    cell->message.assign(cell->out.data(), cell->out.data() + written);
    void *decoded = who->deserialize(cell->state, cell->message.data(), cell->message.size());
    if (decoded == nullptr || !who->same(cell->what, decoded)) {
        Fail(*cell, "give back");
    }
    who->release(cell->state, decoded);
    return cell;
}

void Register(const std::shared_ptr<Cell> &cell) {
    std::string name = cell->workload + "/" + cell->size + "/" + cell->who->name;
    benchmark::RegisterBenchmark((name + "/serialize").c_str(), [cell](benchmark::State &state) {
        for (auto _ : state) {
            size_t written = cell->who->serialize(cell->state, cell->out.data(), cell->out.size());
            benchmark::DoNotOptimize(written);
            benchmark::ClobberMemory();
        }
    });
    benchmark::RegisterBenchmark((name + "/deserialize").c_str(), [cell](benchmark::State &state) {
        for (auto _ : state) {
            void *decoded = cell->who->deserialize(cell->state, cell->message.data(), cell->message.size());
            benchmark::DoNotOptimize(decoded);
            benchmark::ClobberMemory();
            cell->who->release(cell->state, decoded);
        }
    });
}

bool Option(const char *argument, const char *name, std::string *value) {
    size_t size = std::strlen(name);
    if (std::strncmp(argument, name, size) != 0) {
        return false;
    }
    *value = argument + size;
    return true;
}

}  // namespace

int main(int count, char **arguments) {
    std::string workloads = "numbers,strings,texts,bytes,reals", sizes = "1000", chosen, check;
    std::vector<char *> rest;
    for (int i = 0; i < count; i++) {
        if (!Option(arguments[i], "--workloads=", &workloads) && !Option(arguments[i], "--sizes=", &sizes) &&
            !Option(arguments[i], "--peers=", &chosen) && !Option(arguments[i], "--check=", &check)) {
            rest.push_back(arguments[i]);
        }
    }
    for (const std::string &name : Split(workloads)) {
        for (const std::string &size : Split(sizes)) {
            for (size_t i = 0; peers[i] != nullptr; i++) {
                const peer *who = peers[i];
                if (!chosen.empty() && ("," + chosen + ",").find("," + std::string(who->name) + ",") == std::string::npos) {
                    continue;
                }
                auto cell = MakeCell(who, name, size);
                if (check.empty()) {
                    Register(cell);
                } else {
                    bool number = std::isdigit(static_cast<unsigned char>(size[0])) != 0;
                    std::string shown = number ? size : "\"" + size + "\"";
                    std::printf("{\"workload\": \"%s\", \"size\": %s, \"peer\": \"%s\", \"bytes\": %zu, \"crc\": %u}\n", name.c_str(),
                                shown.c_str(), who->name, cell->message.size(), Crc(cell->message));
                }
            }
        }
    }
    if (!check.empty()) {
        return 0;
    }
    int left = static_cast<int>(rest.size());
    benchmark::Initialize(&left, rest.data());
    if (benchmark::ReportUnrecognizedArguments(left, rest.data())) {
        return 1;
    }
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
