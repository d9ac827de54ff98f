/* gRPC for C++, without TLS: the generated stub's blocking streams. */
#include "streams.h"

#include <cstdio>
#include <memory>
#include <string>

#include <grpcpp/grpcpp.h>
#include <streams.grpc.pb.h>

namespace {

using streams_proto::Count;
using streams_proto::Reading;
using streams_proto::Streaming;

void *connect_grpc(uint16_t port)
{
    return Streaming::NewStub(grpc::CreateChannel("127.0.0.1:" + std::to_string(port), grpc::InsecureChannelCredentials())).release();
}

bool ended(const grpc::Status &status, char *why)
{
    if (!status.ok())
        std::snprintf(why, WHY, "%s", status.error_message().c_str());
    return status.ok();
}

bool read_readings(void *opaque, int64_t count, uint64_t *sum, char *why)
{
    grpc::ClientContext context;
    Count request;
    request.set_count(count);
    auto reader = static_cast<Streaming::Stub *>(opaque)->Readings(&context, request);
    uint64_t whole = 0;
    double values = 0;
    for (Reading each; reader->Read(&each);) {
        whole += static_cast<uint64_t>(each.time()) + static_cast<uint64_t>(static_cast<int64_t>(each.flags()));
        values += each.value();
    }
    *sum = whole + static_cast<uint64_t>(static_cast<int64_t>(2 * values));
    return ended(reader->Finish(), why);
}

bool write_readings(void *opaque, int64_t count, uint64_t *sum, char *why)
{
    grpc::ClientContext context;
    Count answer;
    auto writer = static_cast<Streaming::Stub *>(opaque)->PutReadings(&context, &answer);
    Reading each;
    for (int64_t i = 0; i < count; i++) {
        each.set_time(reading_time(i));
        each.set_value(reading_value(i));
        each.set_flags(reading_flags(i));
        /* It may wait for further messages to send them together, as gRPC has it for streams that are written without pauses. */
        if (!writer->Write(each, grpc::WriteOptions().set_buffer_hint()))
            break;
    }
    writer->WritesDone();
    grpc::Status status = writer->Finish();
    *sum = static_cast<uint64_t>(answer.count());
    return ended(status, why);
}

} // namespace

const struct peer grpc_peer = {"grpc", connect_grpc, nullptr, nullptr, read_readings, write_readings};
