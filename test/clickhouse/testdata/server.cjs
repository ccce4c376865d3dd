// A ClickHouse server over HTTP: chdb has the engine, and this the part of the interface that the
// Go client uses. server.cjs DIRECTORY; it prints its port.
const fs = require("node:fs");
const http = require("node:http");
const path = require("node:path");
const { Session } = require("chdb");

const directory = process.argv[2];
const engine = new Session(path.join(directory, "data"));
const file = path.join(directory, "block");

// The client asks first who this is, and reads the answer in its own version of the format. It is told
// version 0, so that it reads all others as the engine writes them.
const hello = "SELECT displayName(), version(), revision(), timezone()";

const text = (s) => Buffer.concat([Buffer.from([s.length]), Buffer.from(s)]);

async function greet() {
	const [version, zone] = (await engine.queryAsync("SELECT version(), timezone()", { format: "TSV" })).text().trim().split("\t");
	const info = Buffer.from([1, 0, 2, 255, 255, 255, 255, 0]);
	const column = (name, type, value) => [text(name), text(type), Buffer.from([0]), value];
	return Buffer.concat([info, Buffer.from([4, 1]), ...column("name", "String", text("chdb")), ...column("version", "String", text(version)),
		...column("revision", "UInt32", Buffer.alloc(4)), ...column("zone", "String", text(zone))]);
}

let database = "";

async function answer(parameters, body) {
	const wanted = parameters.get("database") || "default";
	if (wanted !== database) {
		await engine.queryAsync("USE `" + wanted + "`");
		database = wanted;
	}
	const settings = [...parameters].filter(([name]) => !["database", "query", "default_format", "client_protocol_version"].includes(name))
		.map(([name, value]) => `${name} = '${value}'`).join(", ");
	const query = parameters.get("query");
	if (query !== null) {
		fs.writeFileSync(file, body);
		await engine.queryAsync(query.replace(/FORMAT Native$/i, `FROM INFILE '${file}' SETTINGS ${settings} FORMAT Native`));
		return Buffer.alloc(0);
	}
	const sql = body.toString();
	if (sql === hello) {
		return greet();
	}
	const reads = /^(SELECT|DESCRIBE)/i.test(sql);
	const result = await engine.queryAsync(/^SELECT/i.test(sql) && settings ? `${sql} SETTINGS ${settings}` : sql, { format: reads ? "Native" : "TSV" });
	return reads ? Buffer.from(result.bytes()) : Buffer.alloc(0);
}

// One at a time: the database is the session's.
let last = Promise.resolve();

const server = http.createServer((request, response) => {
	const parts = [];
	request.on("data", (part) => parts.push(part));
	request.on("end", () => {
		last = last.then(async () => {
			try {
				response.end(await answer(new URL(request.url, "http://localhost").searchParams, Buffer.concat(parts)));
			} catch (error) {
				response.writeHead(500, { "X-ClickHouse-Exception-Code": String(error.clickhouseCode ?? 1) });
				response.end(String(error.message));
			}
		});
	});
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
// The test that started it has gone.
process.stdin.on("end", () => process.exit()).resume();
