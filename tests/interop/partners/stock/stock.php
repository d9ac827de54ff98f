<?php
/** The service of tests/import/encoded/in.wsdl by PHP's own SOAP server. */
class Stock
{
    private function item($sku)
    {
        return [
            "sku" => $sku, "kind" => "packed-up", "price" => "12.50", "since" => "2020-02-29", "checked" => "2026-01-02T03:04:05Z", "picture" => "\0\1\2",
            "note" => null, "size" => ["width" => 1.5, "height" => 2], "sizes" => [["width" => 1, "height" => 2], ["width" => 3, "height" => 4]], "tags" => ["a<b", ""],
        ];
    }

    public function count($skus)
    {
        return array_map("strlen", $skus);
    }

    public function find($kind, $limit)
    {
        return array_map(fn($number) => $this->item("$kind-$number"), $limit ? range(1, $limit) : []);
    }

    public function describe($sku)
    {
        if ($sku == "unknown") {
            throw new SoapFault("Server", "no such sku", null, ["sku" => $sku], "unknownSku");
        }
        if ($sku == "broken") {
            throw new SoapFault("Server", "it broke");
        }
        return $this->item($sku);
    }

    public function store($item)
    {
        $size = $item->sizes[1] ?? null;
        $words = [$item->sku, $item->kind, $item->price, $item->since, bin2hex($item->picture), $item->note ?? "-", $item->size->height ?? "-", $size->width ?? "-", implode(",", $item->tags ?? ["-"])];
        if ($item->sku != "least" && implode("|", $words) != "x & y|loose|1.50|2026-11-27|00ff|a note|-|3.5|a,<b>") {
            throw new SoapFault("Client", implode("|", $words));
        }
    }

    public function move($sku, $day)
    {
        return ["moved" => strlen($sku), "left" => (int) substr($day, 0, 4)];
    }

    public function sum($rows)
    {
        return array_sum(array_map("array_sum", $rows));
    }

    public function properties($sku)
    {
        return ["colour" => "red", "weight" => 3];
    }

    public function anything($value)
    {
        return $value;
    }

    public function odd($grid, $tree)
    {
    }

    public function ping()
    {
    }

    public function forget($sku)
    {
    }
}

$server = new SoapServer(__DIR__ . "/stock.wsdl");
$server->setClass("Stock");
$server->handle();
