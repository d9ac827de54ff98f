package org.example.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import creo.runtime.Channel;
import creo.runtime.ClientOptions;
import creo.runtime.Server;
import creo.runtime.SoapChannel;
import example.price.PricesClient;
import example.price.PricesEndpoint;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabTest {
    @Test
    void twoDescriptionsShareATypeAndTheImportedOneIsCalledBySoap() throws Exception {
        List<Sample> kept = new ArrayList<>();
        Archive archive = new Archive() {
            @Override
            public void keep(Sample sample) {
                kept.add(sample);
            }

            @Override
            public List<Sample> all() {
                return kept;
            }
        };
        Lab lab = name -> new Sample(name, 1.5);
        try (Server server = Server.builder().add(LabEndpoint.of(lab)).add(ArchiveEndpoint.of(archive)).add(PricesEndpoint.of(symbol -> new BigDecimal("12.50"))).start();
                LabClient labs = new LabClient("127.0.0.1", server.port());
                ArchiveClient archives = new ArchiveClient("127.0.0.1", server.port());
                PricesClient prices = new PricesClient("127.0.0.1", server.port());
                Channel channel = SoapChannel.open("http://127.0.0.1:" + server.httpPort() + "/Prices", ClientOptions.DEFAULT)) {
            assertEquals(new BigDecimal("12.50"), prices.getPrice("TEA"));
            assertEquals(new BigDecimal("12.50"), new PricesClient(channel).getPrice("TEA"));
            archives.keep(labs.measure("CO2"));
            assertEquals(List.of(new Sample("CO2", 1.5)), archives.all());
        }
    }
}
