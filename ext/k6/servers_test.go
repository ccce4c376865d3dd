package k6

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/gorilla/websocket"
	"google.golang.org/grpc"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/fieldprof/fieldprof/internal/must"
)

// echo is a server that sends back what it gets over a WebSocket.
func echo(w http.ResponseWriter, r *http.Request) {
	upgrader := websocket.Upgrader{}
	connection, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = connection.Close() }()
	for {
		kind, message, err := connection.ReadMessage()
		if err != nil || connection.WriteMessage(kind, message) != nil {
			return
		}
	}
}

// answers has the answers of the service in k6's examples, by method.
var answers = map[string][]string{
	"GetFeature":   {`{"name": "a"}`},
	"ListFeatures": {`{"name": "a", "location": {"latitude": 1}}`, `{"name": "b", "location": {"latitude": 2}}`},
	"RecordRoute":  {`{"pointCount": 5}`},
}

// serveGRPC serves a file of services, and returns its address.
func serveGRPC(t *testing.T, proto string) string {
	t.Helper()
	compiler := protocompile.Compiler{Resolver: &protocompile.SourceResolver{}}
	compiled := must.Get(compiler.Compile(context.Background(), proto))(t)
	files := compiled.AsResolver()
	answer := func(_ any, stream grpc.ServerStream) error {
		name, _ := grpc.MethodFromServerStream(stream)
		found, err := files.FindDescriptorByName(protoreflect.FullName(strings.ReplaceAll(name[1:], "/", ".")))
		if err != nil {
			return err
		}
		method := found.(protoreflect.MethodDescriptor)
		for more := true; more && err == nil; more = method.IsStreamingClient() {
			err = stream.RecvMsg(dynamicpb.NewMessage(method.Input()))
		}
		if err != nil && err != io.EOF {
			return err
		}
		for _, text := range answers[string(method.Name())] {
			message := dynamicpb.NewMessage(method.Output())
			if err := protojson.Unmarshal([]byte(text), message); err != nil {
				return err
			}
			if err := stream.SendMsg(message); err != nil {
				return err
			}
		}
		return nil
	}
	server := grpc.NewServer(grpc.UnknownServiceHandler(answer))
	grpc_health_v1.RegisterHealthServer(server, health.NewServer())
	grpc_reflection_v1.RegisterServerReflectionServer(server, reflection.NewServerV1(reflection.ServerOptions{Services: listed{compiled[0]}, DescriptorResolver: files}))
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return listener.Addr().String()
}

// listed are the services of a file.
type listed struct{ protoreflect.FileDescriptor }

func (l listed) GetServiceInfo() map[string]grpc.ServiceInfo {
	all := map[string]grpc.ServiceInfo{}
	for i := range l.Services().Len() {
		all[string(l.Services().Get(i).FullName())] = grpc.ServiceInfo{}
	}
	return all
}
