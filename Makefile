# Every chore of the project has one name. `make help` lists them.

.DEFAULT_GOAL := help
SHELL := /bin/sh

# Languages to leave out of the tests, separated by commas: make test WITHOUT=csharp
WITHOUT ?=
LEAVE_OUT := $(if $(WITHOUT),--without $(WITHOUT))
TEST := python3 scripts/test.py $(LEAVE_OUT)

.PHONY: help setup build demo test test-all test-rust test-java test-java-jms test-python test-c test-csharp vectors malformed mutants frames answers retries streams http matrix interop jms-faults pack queue partner logbook logbook-test compile copies flaky \
	random operations golden corpus golden-refresh determinism format fmt lint fuzz fuzz-http fuzz-accelerator fuzz-front-end attack soak bench bench-report bench-tdxml report-test bench-wire bench-workloads bench-soap bench-http bench-creo bench-messaging bench-streams bench-interceptors bench-calls cost-check bench-cost bench-compiler bench-copies bench-pack capacity-check docs docs-test documents tdxml-large dist dist-test release-check clean

help: ## lists what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 18

setup: ## installs what the machine lacks, and makes the tools below build/
	@scripts/setup.sh

build: setup ## builds the compiler, the creo program and the test harness
	@cargo build --workspace

demo: ## one Java service on real measurements, called from every language; LANGUAGES=java,python for some
	@scripts/demo.sh $(LANGUAGES)

test: setup ## what a contributor runs: every language, wire and transport, a share of the long suites; ALL=1 for every suite, RECORD=1 to keep the times
	@$(TEST) $(if $(ALL),--all) $(if $(RECORD),--record)

test-all: ## runs every suite, as CI does
	@$(MAKE) --no-print-directory test ALL=1

test-rust: setup ## format, lint and unit tests of the compiler
	@$(TEST) rust-format rust-lint rust

test-java: setup ## the Java runtime's own tests
	@$(TEST) java

test-java-jms: setup ## the tests of the Java module for JMS, and its broker
	@$(TEST) java-jms

test-python: setup ## the Python runtime's own tests, on the oldest and the newest Python, and its types
	@$(TEST) python-oldest python-newest python-accelerated accelerator-oldest accelerator-newest python-mypy python-pyright

test-c: setup ## the C runtime's own tests, under sanitizers
	@$(TEST) c

test-csharp: setup ## the C# runtime's own tests
	@$(TEST) csharp

vectors: setup ## every vector through every language
	@$(TEST) vectors

malformed: setup ## every malformed body through every language
	@$(TEST) malformed

mutants: ## misreadings of the specification on the naive programs, each of which a vector or case must notice; writes the table of them
	@python3 conformance/naive/mutants.py --table bench/results/mutants.md

frames: setup ## malformed and orderly frames against the Java service
	@$(TEST) frames

answers: setup ## what a broken or hostile service sends, to every client
	@$(TEST) answers

retries: setup ## calls that clients repeat, against hosts that fail before and after they execute
	@$(TEST) retries

streams: setup ## streams of every client, against a host that misbehaves
	@$(TEST) streams

http: setup ## requests over HTTP by hand against the Java service
	@$(TEST) http

matrix: setup ## every client against the Java service, on every wire, plain and through TLS
	@$(TEST) matrix

interop: setup ## SOAP both ways with zeep, node-soap, gSOAP, CXF and the JAX-WS RI
	@$(TEST) interop

jms-faults: setup ## 10,000 calls through a broker while it, hosts and clients are killed: nothing is lost; SEED=n for another plan
	@cargo build --quiet --locked -p creo-cli
	@build/venv/bin/python tests/jms/run.py $(if $(SEED),--seed $(SEED)) --results bench/results/jms-faults.md

pack: setup ## the packages of `creo pack`, installed next to one another and used, in every language
	@$(TEST) pack

queue: setup ## two and four service hosts on one queue, then a broker with a backup, then two brokers: a host and brokers are killed
	@cargo build --quiet --locked -p creo-cli
	@build/venv/bin/python examples/queue/run.py

logbook: ## a logbook: a Java service, programs in every language that log to it, a page to see and steer them; LANGUAGES=java,python for some
	@scripts/setup.sh demo $(LANGUAGES)
	@cargo build --quiet --locked -p creo-cli
	@python3 examples/logbook/run.py $(if $(LANGUAGES),--languages $(LANGUAGES)) $(if $(DATABASE),--database '$(DATABASE)')

logbook-test: setup ## the logbook in full: 100,000 entries while its service is killed, on SQLite and PostgreSQL; its page in Chromium
	@$(TEST) logbook

partner: setup ## a partner's WSDL: clients that call him, and a service of our own that he calls
	@cargo build --quiet --locked -p creo-cli
	@build/venv/bin/python examples/partner/run.py $(LEAVE_OUT)

flaky: setup ## runs the tests with sockets 20 times, several at once, and names what fails; FLAKY_RUNS=3 for fewer, SUITES=answers for some
	@python3 scripts/flaky.py --runs $${FLAKY_RUNS:-20} $(LEAVE_OUT) $(SUITES)

compile: setup ## awkward descriptions compiled in every language, warnings are errors
	@$(TEST) compile

copies: setup ## the runtimes' parts of some wires alone, compiled in every language, and their size
	@$(TEST) copies

random: setup ## random descriptions and values through every language
	@$(TEST) random

operations: setup ## the messages of every operation of every WSDL that is imported, through every language and the WSDL's own schemas; takes long, and writes the table of them
	@cargo build --quiet --locked -p creo-harness
	@python3 scripts/operations.py $(LEAVE_OUT)

golden: setup ## small descriptions and all that is made of them
	@$(TEST) golden

corpus: setup ## real WSDLs through the importer, where there is a folder of them
	@$(TEST) corpus

golden-refresh: build ## writes the golden outputs anew, and fails: look at the difference
	@target/debug/creo-harness golden --refresh

determinism: setup ## the same input gives the same output
	@$(TEST) determinism

format: setup ## formatting descriptions twice is formatting them once
	@$(TEST) format

fmt: build ## formats the compiler's code and all descriptions
	@cargo fmt --all
	@target/debug/creo fmt $$(git ls-files 'conformance/schemas/*.creo' 'examples/*.creo')

lint: setup ## every linter, no tests
	@$(TEST) rust-format rust-lint python-mypy python-pyright

fuzz: setup ## fuzzes the C decoders for a minute each; SECONDS_EACH=600 for longer
	@$(MAKE) --no-print-directory -C runtimes/c fuzz SECONDS_EACH=$${SECONDS_EACH:-60}

fuzz-http: setup ## fuzzes the Java parsers of HTTP for a minute; SECONDS_EACH=600 for longer, SEED=n to repeat a run
	@cd runtimes/java && mvn --batch-mode --quiet test-compile && java -cp target/classes:target/test-classes creo.runtime.HttpFuzz $${SECONDS_EACH:-60} $(SEED)

fuzz-accelerator: build ## fuzzes Python's accelerator under sanitizers for a minute, also on what `make random` left; SECONDS_EACH=600, SEED=n to repeat
	@build/venv/bin/python runtimes/python-accelerator/build.py build/accelerator-sanitized --sanitize
	@PYTHONPATH=build/accelerator-sanitized PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD="$$(cc -print-file-name=libasan.so) $$(cc -print-file-name=libubsan.so)" \
		build/venv/bin/python -B runtimes/python-accelerator/fuzz.py $${SECONDS_EACH:-60} $(if $(SEED),--seed $(SEED)) conformance/schemas/values.creo conformance/schemas/matrix.creo conformance/schemas/xml.creo \
		$(wildcard build/harness/random/descriptions/*.creo)

fuzz-front-end: setup ## fuzzes parser, formatter and checker for a minute each; needs nightly Rust and cargo-fuzz
	@for target in parse_never_panics format_idempotent check_never_panics; do \
		cargo +nightly fuzz run $$target fuzz/corpus/$$target crates/creo-check/tests/diagnostics -- \
			-dict=fuzz/creo.dict -max_total_time=$${SECONDS_EACH:-60} || exit 1; \
	done

attack: setup ## attacks the Java service in every way, beside a legitimate client; ONLY=text for some, JDK=folder for another JDK
	@cargo build --quiet --locked -p creo-cli
	@build/venv/bin/python tests/attack/run.py $(if $(ONLY),--only $(ONLY)) $(if $(JDK),--jdk $(JDK))

soak: setup ## an hour of mixed load, hang-ups, slow readers and kills against the Java service, whose memory must stay flat; SOAK_MINUTES=10 for less
	@cargo build --quiet --locked -p creo-cli
	@build/venv/bin/python tests/attack/soak.py --minutes $${SOAK_MINUTES:-60} --results bench/results/soak.md $(if $(JDK),--jdk $(JDK))

bench: setup ## measures a set of all experiments within half an hour, and makes the page of it; EXPERIMENT=tdxml for one, PEER=fory for one peer
	@scripts/bench.sh $(EXPERIMENT) $(if $(PEER),--peer $(PEER))

bench-report: setup ## makes the page and the pictures of all that was measured
	@scripts/bench-report.sh

bench-tdxml: setup ## measures calls with the messages of the TDXML paper, in every form
	@scripts/bench-tdxml.sh

report-test: setup ## the tests of the computations of the benchmarks, and a short run of one
	@$(TEST) report

bench-wire: setup ## measures the binary and the text wires beside their peers
	@scripts/bench-wire.sh

bench-workloads: setup ## measures orders, telemetry and a document in every language beside the peers
	@scripts/bench-workloads.sh

bench-sizes: setup ## prints the sizes of messages in every form, EXI and Fast Infoset among them
	@scripts/bench-sizes.sh

cost-check: setup ## calibrates this machine, and holds estimates against measured times; an hour
	@scripts/cost-check.sh

bench-cost: setup ## measures what XML serialization costs in .NET and Java by type and length, as the paper on its cost did
	@scripts/bench-cost.sh

bench-compiler: setup ## how long `creo` takes to generate, check and estimate for 1,000 to 10,000 structs, and how much memory
	@scripts/bench-compiler.sh

bench-copies: build ## how many files and lines of runtime a copy has, by language and wires
	@python3 bench/copies.py

bench-pack: setup ## how long `creo pack` takes for a large WSDL, and how large the packages are
	@scripts/bench-pack.sh

capacity-check: setup ## holds what `creo capacity` predicts against a Java service at several loads, and behind a broker; some minutes
	@scripts/capacity-check.sh

bench-soap: setup ## measures calls over SOAP and HTTP beside the peers
	@scripts/bench-soap.sh

bench-http: setup ## measures an echo service over HTTP beside other Java servers, Creo's client, and idle connections
	@scripts/bench-http.sh

bench-creo: setup ## measures the response time of calls beside the peers, as the paper on Creo did
	@scripts/bench-creo.sh

bench-messaging: setup ## measures messages of megabytes, normal and serialized, over HTTP and JMS, as the papers on messaging did
	@scripts/bench-messaging.sh

bench-streams: setup ## measures streams of doubles beside a bare socket, and of small structs beside gRPC, in every language, and the memory of both sides
	@scripts/bench-streams.sh

bench-interceptors: setup ## measures what interceptors add to small calls, in every language
	@scripts/bench-interceptors.sh

bench-calls: setup ## calls a second of one small method from Python, beside gRPC
	@scripts/bench-calls.sh

docs: ## builds the documentation as a site with a search, without a network: build/docs/site/index.html; mdBook is compiled once
	@scripts/docs-setup.sh --no-browser
	@python3 scripts/docs.py

docs-test: setup ## opens every page of the site, and those that creo and the benchmarks write, in Chromium
	@$(TEST) docs

documents: setup ## XML documents to tables and back, compared by Canonical XML
	@$(TEST) documents

tdxml-large: setup ## converts a document of 1 GiB to tables and back, and prints the memory
	@cargo build --release --locked -p creo-cli
	@build/venv/bin/python tests/documents/large.py

dist: ## builds the packages of a release into dist/, reproducibly: static program, wheels, npm, C runtime, Debian, bill of materials; takes minutes
	@python3 scripts/dist/make.py

dist-test: setup ## builds the packages twice, in two folders, compares them byte by byte, and runs the tests of packages on them; takes long
	@scripts/dist/setup.sh
	@build/venv/bin/python scripts/dist/twice.py

release-check: ## says what is missing for a release: versions, the changelog's entry, generated code that fits its runtime
	@python3 scripts/dist/release_check.py

clean: ## removes all that was built
	@rm -rf build target runtimes/java/target runtimes/c/build
	@find runtimes conformance examples -type d \( -name obj -o -name bin -o -name __pycache__ \) -prune -exec rm -rf {} +
