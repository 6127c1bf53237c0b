// The library in WebAssembly. Messages are {id, screen, request}, answers {id, answer} or {id, error}.
importScripts('wasm_exec.js');
const go = new Go();
const ready = WebAssembly.instantiateStreaming(fetch('engine.wasm'), go.importObject).then(({ instance }) => { go.run(instance); });
onmessage = async ({ data: { id, screen, request } }) => {
  try {
    await ready;
    postMessage({ id, answer: await mercerCall(screen, request) });
  } catch (e) {
    postMessage({ id, error: String(e?.message ?? e) });
  }
};
