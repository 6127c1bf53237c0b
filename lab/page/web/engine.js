// The engine answers screens: a server on this machine, or the same library in a worker.

class Server {
  name = 'By the server on this machine.';
  async call(screen, request, signal) {
    const answer = await fetch('lab/api/' + screen, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(request), signal });
    const document = await answer.json();
    if (!answer.ok) throw new Error(document.error);
    return document;
  }
}

class InPage {
  name = 'In this page, without a server.';
  #worker; #open = new Map(); #last = 0;
  #begin() {
    this.#worker = new Worker('worker.js');
    this.#worker.onmessage = ({ data }) => {
      const wait = this.#open.get(data.id);
      this.#open.delete(data.id);
      if (wait) data.error === undefined ? wait.done(JSON.parse(data.answer)) : wait.failed(new Error(data.error.replace(/^lab: /, '')));
    };
  }
  call(screen, request, signal) {
    if (!this.#worker) this.#begin();
    return new Promise((done, failed) => {
      const id = ++this.#last;
      this.#open.set(id, { done, failed });
      signal?.addEventListener('abort', () => { // one thread: what runs is ended with the worker
        if (!this.#open.delete(id)) return;
        this.#worker.terminate();
        this.#begin();
        failed(signal.reason);
      });
      this.#worker.postMessage({ id, screen, request: JSON.stringify(request) });
    });
  }
}

// open returns the server if there is one, and else the engine of the page.
export async function open() {
  try {
    const answer = await fetch('lab/screens');
    if (answer.ok && (answer.headers.get('Content-Type') ?? '').startsWith('application/json')) return new Server();
  } catch { /* a site without a server */ }
  return new InPage();
}

// Latest asks for one answer at a time; of questions that come meanwhile the last one counts.
export class Latest {
  #engine; #running = false; #next; #control;
  constructor(engine) { this.#engine = engine; }
  // ask calls use with the answer, or failed with an error.
  ask(screen, request, use, failed) {
    this.#next = { screen, request, use, failed };
    if (!this.#running) this.#run();
  }
  cancel() { this.#next = undefined; this.#control?.abort(new Error('Cancelled.')); }
  async #run() {
    this.#running = true;
    while (this.#next) {
      const { screen, request, use, failed } = this.#next;
      this.#next = undefined;
      this.#control = new AbortController();
      try { use(await this.#engine.call(screen, request, this.#control.signal)); } catch (e) { failed(e); }
    }
    this.#running = false;
  }
}
