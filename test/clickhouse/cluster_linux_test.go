package clickhouse

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	client "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/fieldprof/fieldprof/internal/must"
)

// cluster is a ZooKeeper and four servers: two shards of two replicas each.
type cluster struct {
	dir       string
	zookeeper int // port
	servers   []*server
}

// server is a ClickHouse server.
type server struct {
	shard, replica   int
	tcp, http, inter int // ports
	process          *exec.Cmd
}

// patience ends a test that hangs.
const patience = 3 * time.Minute

// startCluster starts a cluster on this machine, with what Debian installs.
func startCluster(t testing.TB) *cluster {
	for _, needed := range []string{"clickhouse-server", "java"} {
		if _, err := exec.LookPath(needed); err != nil {
			lacks(t, needed)
		}
	}
	if _, err := os.Stat(zookeeperJar); err != nil {
		lacks(t, zookeeperJar)
	}
	c := &cluster{dir: t.TempDir()}
	ports := freePorts(t, 1+4*3)
	c.zookeeper = ports[0]
	for i := range 4 {
		p := ports[1+3*i:]
		c.servers = append(c.servers, &server{shard: 1 + i/2, replica: 1 + i%2, tcp: p[0], http: p[1], inter: p[2]})
	}
	c.startZooKeeper(t)
	for _, s := range c.servers {
		c.configure(t, s)
		c.start(t, s)
	}
	for _, s := range c.servers {
		s.await(t)
	}
	return c
}

func lacks(t testing.TB, what string) {
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is missing: .ci/setup all installs it", what)
	}
	t.Skipf("SKIPPED: %s is missing: .ci/setup all installs it", what)
}

// freePorts finds unused ports.
func freePorts(t testing.TB, n int) (ports []int) {
	for range n {
		l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		defer func() { _ = l.Close() }() // all of them at the end, so that they differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports
}

const zookeeperJar = "/usr/share/java/zookeeper.jar"

func (c *cluster) startZooKeeper(t testing.TB) {
	dir := filepath.Join(c.dir, "zookeeper")
	must.Do(t, os.MkdirAll(dir, 0o755))
	config := filepath.Join(dir, "zoo.cfg")
	must.Do(t, os.WriteFile(config, fmt.Appendf(nil, "tickTime=500\ndataDir=%s\nclientPort=%d\nclientPortAddress=127.0.0.1\nadmin.enableServer=false\nmaxClientCnxns=0\n4lw.commands.whitelist=srvr\n", dir, c.zookeeper), 0o644))
	run(t, filepath.Join(dir, "out"), "java", "-Xmx256m", "-Dzookeeper.forceSync=no", "-XX:+UseSerialGC", "-cp", zookeeperJar+":/usr/share/java/*", "org.apache.zookeeper.server.quorum.QuorumPeerMain", config)
	until(t, "ZooKeeper serves", func() error { // it listens before that
		conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", c.zookeeper))
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
		_ = conn.SetDeadline(time.Now().Add(time.Second)) // it never answers connections that it accepts too early
		_, _ = conn.Write([]byte("srvr"))
		answer, err := io.ReadAll(conn)
		if err == nil && !strings.Contains(string(answer), "Mode:") {
			err = fmt.Errorf("it says %s", answer)
		}
		return err
	})
}

// run starts a process that ends with the test.
func run(t testing.TB, output, name string, args ...string) *exec.Cmd {
	file := must.Get(os.OpenFile(output, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644))(t)
	defer func() { _ = file.Close() }()
	process := exec.Command(name, args...)
	process.Stdout, process.Stderr = file, file
	process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	must.Do(t, process.Start())
	t.Cleanup(func() {
		_ = process.Process.Kill()
		_ = process.Wait()
		if t.Failed() {
			text, _ := os.ReadFile(output)
			t.Logf("%s said:\n%s", name, text[max(0, len(text)-2000):])
		}
	})
	return process
}

// until waits for an event.
func until(t testing.TB, what string, happened func() error) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		err := happened()
		if err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waited in vain until %s: %v", what, err)
		}
	}
}

func (c *cluster) path(s *server) string {
	return filepath.Join(c.dir, fmt.Sprintf("server%d%d", s.shard, s.replica))
}

// configure writes the configuration of a server. One that was killed finds parts that it had not yet
// announced, and ignores them; where tables are small those are many, and it would ask people first.
func (c *cluster) configure(t testing.TB, s *server) {
	dir := c.path(s)
	must.Do(t, os.MkdirAll(dir, 0o755))
	var shards strings.Builder
	for _, of := range c.servers {
		if of.replica == 1 {
			shards.WriteString("<shard><internal_replication>true</internal_replication>")
		}
		fmt.Fprintf(&shards, "<replica><host>127.0.0.1</host><port>%d</port></replica>", of.tcp)
		if of.replica == 2 {
			shards.WriteString("</shard>")
		}
	}
	config := fmt.Sprintf(`<yandex>
<logger><level>warning</level><log>%[1]s/log</log><errorlog>%[1]s/errors</errorlog></logger>
<listen_host>127.0.0.1</listen_host><tcp_port>%[2]d</tcp_port><http_port>%[3]d</http_port>
<interserver_http_port>%[4]d</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
<path>%[1]s/data/</path><tmp_path>%[1]s/tmp/</tmp_path><users_config>%[1]s/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<merge_tree><replicated_max_ratio_of_wrong_parts>1</replicated_max_ratio_of_wrong_parts></merge_tree>
<mark_cache_size>16777216</mark_cache_size><uncompressed_cache_size>0</uncompressed_cache_size>
<remote_servers><field>%[5]s</field></remote_servers>
<zookeeper><node><host>127.0.0.1</host><port>%[6]d</port></node><session_timeout_ms>4000</session_timeout_ms></zookeeper>
<macros><shard>%[7]d</shard><replica>%[8]d</replica></macros>
<distributed_ddl><path>/clickhouse/task_queue/ddl</path></distributed_ddl>
</yandex>`, dir, s.tcp, s.http, s.inter, shards.String(), c.zookeeper, s.shard, s.replica)
	must.Do(t, os.WriteFile(filepath.Join(dir, "config.xml"), []byte(config), 0o644))
	must.Do(t, os.WriteFile(filepath.Join(dir, "users.xml"), []byte(users), 0o644))
}

const users = `<yandex>
<profiles><default><load_balancing>in_order</load_balancing><max_memory_usage>500000000</max_memory_usage></default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
<quotas><default></default></quotas>
</yandex>`

// start starts a server, or starts it again.
func (c *cluster) start(t testing.TB, s *server) {
	t.Cleanup(func() {
		if t.Failed() {
			text, _ := os.ReadFile(filepath.Join(c.path(s), "errors"))
			lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return !strings.Contains(line, "Error>") })
			t.Logf("the errors of replica %d of shard %d:\n%s", s.replica, s.shard, strings.Join(lines[max(0, len(lines)-5):], "\n"))
		}
	})
	s.process = run(t, filepath.Join(c.path(s), "out"), "clickhouse-server", "--config-file="+filepath.Join(c.path(s), "config.xml"))
}

// kill kills a server without notice.
func (s *server) kill(t testing.TB) {
	must.Do(t, s.process.Process.Kill())
	_ = s.process.Wait()
}

// await waits until a server answers.
func (s *server) await(t testing.TB) {
	until(t, "the server answers", func() error {
		conn, err := client.Open(&client.Options{Addr: []string{s.address()}})
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close() }()
		return conn.Ping(context.Background())
	})
}

func (s *server) address() string { return fmt.Sprintf("127.0.0.1:%d", s.tcp) }

// address returns the address of the cluster: the first replicas first.
func (c *cluster) address() string {
	var hosts []string
	for _, i := range []int{0, 2, 1, 3} {
		hosts = append(hosts, c.servers[i].address())
	}
	return "clickhouse://" + strings.Join(hosts, ",")
}
