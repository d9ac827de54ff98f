/* gRPC for C++, without TLS: the generated stub on one channel; requests stand ready as messages. */
#include "response.h"

#include <cstdio>
#include <memory>
#include <string>

#include <grpcpp/grpcpp.h>
#include <response.grpc.pb.h>

namespace {

using response_proto::Response;

void *connect_grpc(const char *address)
{
    static std::shared_ptr<grpc::Channel> shared;
    if (!shared) {
        grpc::ChannelArguments arguments;
        arguments.SetMaxSendMessageSize(-1);
        shared = grpc::CreateCustomChannel(std::string("127.0.0.1:") + address, grpc::InsecureChannelCredentials(), arguments);
    }
    return new std::unique_ptr<Response::Stub>(Response::NewStub(shared));
}

void *prepare(kind kind, size_t count)
{
    if (kind == NUMBERS) {
        auto *numbers = new response_proto::Numbers;
        numbers->mutable_blocks()->Reserve(static_cast<int>(count));
        for (size_t i = 0; i < count; i++) {
            auto *block = numbers->add_blocks();
            block->set_d(value_d(i));
            block->set_s(value_s(i));
        }
        return numbers;
    }
    if (kind == STRINGS) {
        auto *strings = new response_proto::Strings;
        for (size_t i = 0; i < count; i++) {
            char text[11];
            value_string(i, text);
            strings->add_items(text, 10);
        }
        return strings;
    }
    auto *bytes = new response_proto::Bytes;
    bytes->mutable_data()->resize(count);
    for (size_t i = 0; i < count; i++)
        (*bytes->mutable_data())[i] = static_cast<char>(value_byte(i));
    return bytes;
}

void release(kind kind, void *request, size_t)
{
    if (kind == NUMBERS)
        delete static_cast<response_proto::Numbers *>(request);
    else if (kind == STRINGS)
        delete static_cast<response_proto::Strings *>(request);
    else
        delete static_cast<response_proto::Bytes *>(request);
}

bool call(void *client, kind kind, const void *request, int32_t *items, char *why)
{
    Response::Stub &stub = **static_cast<std::unique_ptr<Response::Stub> *>(client);
    grpc::ClientContext context;
    response_proto::Count count;
    grpc::Status status;
    if (kind == NUMBERS)
        status = stub.PutNumbers(&context, *static_cast<const response_proto::Numbers *>(request), &count);
    else if (kind == STRINGS)
        status = stub.PutStrings(&context, *static_cast<const response_proto::Strings *>(request), &count);
    else
        status = stub.PutBytes(&context, *static_cast<const response_proto::Bytes *>(request), &count);
    if (!status.ok())
        std::snprintf(why, WHY, "%s", status.error_message().c_str());
    *items = count.items();
    return status.ok();
}

} // namespace

const struct peer grpc_peer = {"grpc", connect_grpc, prepare, release, call};
