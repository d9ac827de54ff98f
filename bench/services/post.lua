-- Sends the file that the environment names as it stands, and says what came back: calls, microseconds, failures, the median of the latency.
local file = assert(io.open(os.getenv("BENCH_REQUEST"), "rb"))
wrk.method = "POST"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "text/xml; charset=utf-8"
wrk.headers["SOAPAction"] = '""'

function done(summary, latency)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   io.write(string.format("RESULT %d %d %d %d\n", summary.requests, summary.duration, failed, latency:percentile(50)))
end
