import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import net, { type AddressInfo, type Server, type Socket } from 'node:net';
import tls from 'node:tls';
import { type Answer, perform } from './answer';
import { goodAnswer, makeCase } from './cases';

// The process of the hostile servers, so that their cost is not attributed to the product. The parent sets the current case.

interface Serving {
  port: number;
  close(): void;
}

function answerOn(answer: Answer, socket: Socket): void {
  socket.on('error', () => undefined);
  if (answer.steps) perform(socket, answer.steps);
  if (answer.converse) answer.converse(socket);
  else {
    socket.once('data', () => perform(socket, answer.replies ?? []));
    socket.resume();
  }
}

/** Forwards connections to another port and changes some bytes of the responses. */
function damaging(port: number, damage: Map<number, number>): Server {
  return net.createServer((socket) => {
    const inner = net.connect(port, '127.0.0.1');
    let at = 0;
    inner.on('data', (part: Buffer) => {
      const changed = Buffer.from(part);
      for (let index = 0; index < changed.length; index += 1) {
        changed[index] = (changed[index] ?? 0) ^ (damage.get(at + index) ?? 0);
      }
      at += part.length;
      socket.write(changed);
    });
    socket.pipe(inner);
    inner.on('close', () => socket.destroy());
    socket.on('close', () => inner.destroy());
    for (const each of [inner, socket]) each.on('error', () => undefined);
  });
}

async function listen(server: Server, host = '127.0.0.1'): Promise<Serving> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function serveStream(answer: Answer): Promise<Serving> {
  const serve = (socket: Socket) => answerOn(answer, socket);
  const serving = await listen(answer.tls ? tls.createServer(answer.tls, serve) : net.createServer(serve));
  if (!answer.damage) return serving;
  const outer = await listen(damaging(serving.port, answer.damage));
  return {
    port: outer.port,
    close() {
      outer.close();
      serving.close();
    },
  };
}

/** A name server over UDP. Over TCP it closes at once. */
async function serveDatagrams(reply: NonNullable<Answer['datagrams']>): Promise<Serving> {
  const stream = await listen(net.createServer((socket) => void socket.end()));
  const socket = createSocket('udp4');
  socket.on('error', () => undefined);
  socket.on('message', (query, { port, address }) => {
    for (const part of reply(query)) socket.send(part, port, address, () => undefined);
  });
  socket.bind(stream.port, '127.0.0.1');
  await once(socket, 'listening');
  return {
    port: stream.port,
    close() {
      stream.close();
      socket.close();
    },
  };
}

const firstSeed = Number(process.argv[2]);
const answerOf = (index: number) => (index < 0 ? goodAnswer : (makeCase(firstSeed, index).answer ?? goodAnswer));
const serving = new Map<number, Serving>();

async function open(index: number): Promise<number> {
  const answer = answerOf(index);
  const opened = await (answer.datagrams ? serveDatagrams(answer.datagrams) : serveStream(answer));
  serving.set(index, opened);
  return opened.port;
}

/** All LINE messages go to one address; the token identifies the case. */
const line = await listen(
  net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (asked: Buffer) => {
      const [, index = '-1'] = /authorization: bearer case-(\d+)/i.exec(asked.toString('latin1')) ?? [];
      answerOn(answerOf(Number(index)), socket);
      socket.emit('data', asked);
    });
  }),
);
/** All mail goes to one address; the parent sets the current case. */
let mailed = -1;
const mail = await listen(net.createServer((socket) => answerOn(answerOf(mailed), socket)));

process.on(
  'message',
  ({ id, open: index, close, mail: turn }: { id: number; open?: number; close?: number; mail?: number }) => {
    if (turn !== undefined) mailed = turn;
    if (close !== undefined) {
      serving.get(close)?.close();
      serving.delete(close);
    }
    if (index === undefined) process.send?.({ id, port: 0 });
    else void open(index).then((port) => process.send?.({ id, port }));
  },
);
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, port: 0, line: line.port, mail: mail.port });
