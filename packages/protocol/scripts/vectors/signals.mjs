import { example, messages } from './structs.mjs'

/** The bodies of the signals that clients may send. */

const frameOf = (name, body) =>
  JSON.stringify({ control_signal: { ...example(messages.control_signal), name, body } })

const at = position => ({ publication_id: 'pub1', position })
const bodies = {
  'chat.typing': [[{}, { on: true }], []],
  'screen.pointer': [
    [at(null), at({ x: 0, y: 1 }), at({ x: 0.5, y: 0.25 }), at({ x: 1, y: 0 })],
    [
      {},
      { publication_id: 'pub1' },
      { position: null },
      { publication_id: '', position: null },
      { publication_id: 1, position: null },
      at({}),
      at({ x: 0.5 }),
      at({ x: -0.01, y: 0 }),
      at({ x: 0, y: 1.01 }),
      at({ x: '0', y: 0 }),
      at({ x: null, y: 0 }),
      at({ x: 0, y: 0, z: 0 }),
      at([0, 0]),
      { ...at(null), colour: 'red' },
    ],
  ],
  'reaction.shown': [
    ['thumbs_up', 'clap', 'heart', 'laugh', 'party', 'surprise', 'thinking', 'wave'].map(reaction => ({
      reaction,
    })),
    [
      {},
      { reaction: null },
      { reaction: '' },
      { reaction: '👍' },
      { reaction: 'Thumbs_up' },
      { reaction: ['clap'] },
      { reaction: 'clap', text: 'x' },
    ],
  ],
}

export const signalBodies = Object.entries(bodies).flatMap(([name, [good, bad]]) => [
  ...good.map(body => ({
    name: `${name}: ${JSON.stringify(body)}`,
    frame: frameOf(name, body),
    valid: true,
  })),
  ...bad.map(body => ({
    name: `${name}: not ${JSON.stringify(body)}`,
    frame: frameOf(name, body),
    code: 'invalid_argument',
    close: false,
  })),
])
