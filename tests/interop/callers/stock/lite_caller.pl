# Perl's SOAP::Lite calls the Java service in SOAP encoding, without a WSDL: lite_caller.pl ADDRESS. Prints `ok NAME` or `FAIL NAME: reason` for each case.
use strict;
use warnings;
use SOAP::Lite;

{
    # A type that no schema has told it is an error to SOAP::Lite.
    package StockDeserializer;
    our @ISA = ('SOAP::Deserializer');

    sub typecast {
        my ($self, $value, @more) = @_;
        my $type = $more[3];
        return defined $type && $type =~ /\}Kind$/ ? $value : $self->SUPER::typecast($value, @more);
    }
}

my $client = SOAP::Lite->uri('urn:example:stock')->deserializer(StockDeserializer->new)->proxy($ARGV[0])->on_action(sub { qq("$_[0]#$_[1]") });
my $failed = 0;

sub same {
    my ($wanted, $got) = @_;
    die "expected $wanted, got " . ($got // 'nothing') . "\n" unless defined $got && $wanted eq $got;
}

sub call {
    my ($method, @arguments) = @_;
    my $answer = $client->call($method, @arguments);
    die $answer->faultstring . "\n" if $answer->fault;
    return $answer;
}

my %cases = (
    count => sub { same('1 3', join ' ', @{call('count', SOAP::Data->name(skus => ['a', 'bcd']))->result}) },
    find => sub {
        my $found = call('find', SOAP::Data->name(kind => 'loose'), SOAP::Data->name(limit => 2))->result;
        same('loose-1 loose-2', join ' ', map { $_->{sku} } @$found);
        same('12.50|2020-02-29|1.5|3|a<b c', join '|', $found->[0]{price}, $found->[0]{since}, $found->[0]{size}{width}, $found->[0]{sizes}[1]{width}, join ' ', @{$found->[0]{tags}});
    },
    describe => sub { same('q', call('describe', SOAP::Data->name(sku => 'q')->type('string'))->result->{sku}) },
    move => sub {
        my $answer = call('move', SOAP::Data->name(sku => 'abc')->type('string'), SOAP::Data->name(day => '2026-11-27')->type('date'));
        same('3 2026', join ' ', $answer->result, $answer->paramsout);
    },
    sum => sub { same(6, call('sum', SOAP::Data->name(rows => [[1, 2], [3]]))->result) },
    ping => sub { call('ping') },
    'fault-unknown' => sub {
        my $answer = $client->call('describe', SOAP::Data->name(sku => 'unknown')->type('string'));
        same('unknown', $answer->faultdetail->{unknownSku}{sku});
    },
);
for my $name (sort keys %cases) {
    if (eval { $cases{$name}->(); 1 }) {
        print "ok $name\n";
    } else {
        (my $reason = $@) =~ s/\s+/ /g;
        print "FAIL $name: $reason\n";
        $failed = 1;
    }
}
exit $failed;
