-- Sends a file as it stands, with the headers that the environment names, one a line, and says what came back: calls, microseconds, failures, the median and the 99th
-- percentile of the latency.
local file = assert(io.open(os.getenv("BENCH_REQUEST"), "rb"))
wrk.method = "POST"
wrk.body = file:read("*a")
for name, value in os.getenv("BENCH_HEADERS"):gmatch("([^:\n]+): ([^\n]*)") do
   wrk.headers[name] = value
end

function done(summary, latency)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration, failed, latency:percentile(50), latency:percentile(99)))
end
