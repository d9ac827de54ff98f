package creo.servlet;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** A servlet container with one servlet, in the application {@code /app}, and one filter. */
interface Container extends AutoCloseable {
    /** The kinds of containers. */
    enum Kind {
        JETTY {
            @Override
            Container start(CreoServlet servlet, String mapping, Filter filter) throws Exception {
                Server server = new Server();
                ServerConnector connector = new ServerConnector(server);
                connector.setHost("127.0.0.1");
                server.addConnector(connector);
                server.setStopTimeout(5_000);
                ServletContextHandler context = new ServletContextHandler("/app");
                context.addServlet(new ServletHolder("creo", servlet), mapping);
                context.addFilter(new FilterHolder(filter), "/*", EnumSet.of(DispatcherType.REQUEST));
                server.setHandler(context);
                server.start();
                return container(connector.getLocalPort(), server::stop);
            }
        },
        TOMCAT {
            @Override
            Container start(CreoServlet servlet, String mapping, Filter filter) throws Exception {
                Tomcat tomcat = new Tomcat();
                tomcat.setBaseDir(Files.createTempDirectory("creo-tomcat").toString());
                tomcat.setHostname("127.0.0.1");
                tomcat.setPort(0);
                tomcat.getConnector();
                Context context = tomcat.addContext("/app", null);
                Wrapper wrapper = Tomcat.addServlet(context, "creo", servlet);
                wrapper.addMapping(mapping);
                wrapper.setLoadOnStartup(1);
                FilterDef definition = new FilterDef();
                definition.setFilterName("filter");
                definition.setFilter(filter);
                FilterMap map = new FilterMap();
                map.setFilterName("filter");
                map.addURLPattern("/*");
                context.addFilterDef(definition);
                context.addFilterMap(map);
                tomcat.start();
                return container(tomcat.getConnector().getLocalPort(), () -> {
                    tomcat.stop();
                    tomcat.destroy();
                });
            }
        };

        abstract Container start(CreoServlet servlet, String mapping, Filter filter) throws Exception;
    }

    /** What ends a container. */
    interface Stop {
        void stop() throws Exception;
    }

    private static Container container(int port, Stop stop) {
        return new Container() {
            @Override
            public int port() {
                return port;
            }

            @Override
            public void close() throws IOException {
                try {
                    stop.stop();
                } catch (Exception e) {
                    throw new IOException(e);
                }
            }
        };
    }

    int port();

    @Override
    void close() throws IOException;
}
