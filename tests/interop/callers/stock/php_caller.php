<?php
/** PHP's SOAP client calls the Java service in SOAP encoding: php_caller.php WSDL_ADDRESS. Prints `ok NAME` or `FAIL NAME: reason` for each case. */
ini_set("soap.wsdl_cache_enabled", "0");
$client = new SoapClient($argv[1], ["exceptions" => true, "features" => SOAP_SINGLE_ELEMENT_ARRAYS]);

function same($wanted, $got)
{
    if ($wanted != $got) {
        throw new Exception("expected " . json_encode($wanted) . ", got " . json_encode($got));
    }
}

function words($item)
{
    return [$item->sku, $item->kind, $item->price, $item->since, $item->checked, bin2hex($item->picture), $item->note, $item->size->height, $item->sizes[1]->width, $item->tags];
}

$wanted = fn($sku) => [$sku, "packed-up", "12.50", "2020-02-29", "2026-01-02T03:04:05Z", "000102", null, 2.0, 3.0, ["a<b", "c"]];
$failed = false;
$cases = [
    "count" => fn() => same([1, 3], $client->count(["a", "bcd"])),
    "count-none" => fn() => same([], $client->count([])),
    "find" => fn() => same([$wanted("packed-up-1"), $wanted("packed-up-2")], array_map("words", $client->find("packed-up", 2))),
    "describe" => fn() => same($wanted("q"), words($client->describe("q"))),
    "store" => fn() => $client->store($client->describe("x & y")),
    "move" => fn() => same(["moved" => 3, "left" => 2026], (array) $client->move("abc", "2026-11-27")),
    "sum" => fn() => same(6.0, $client->sum([[1, 2], [3]])),
    "properties" => fn() => same(["colour" => "red"], (array) $client->properties("q")),
    "anything" => fn() => same(42, $client->anything(new SoapVar(42, XSD_INT))),
    "ping" => fn() => $client->ping(),
    "forget" => fn() => $client->forget("q"),
    "fault-unknown" => function () use ($client) {
        try {
            $client->describe("unknown");
        } catch (SoapFault $fault) {
            same("unknown", $fault->detail->unknownSku->sku ?? null);
            return;
        }
        throw new Exception("no fault");
    },
];
foreach ($cases as $name => $case) {
    try {
        $case();
        echo "ok $name\n";
    } catch (Throwable $error) {
        echo "FAIL $name: ", preg_replace("/\s+/", " ", $error->getMessage()), "\n";
        $failed = true;
    }
}
exit($failed ? 1 : 0);
