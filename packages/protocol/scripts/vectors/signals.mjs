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

const ink = {
  element_id: 'element-1',
  kind: 'stroke',
  color: '#1a2b3c',
  width: 3,
  first_index: 0,
  points: [100, 200, 128, 5, -3, 0],
}
const { points: _, ...inkWithoutPoints } = ink
Object.assign(bodies, {
  'board.ink': [
    [ink, { ...ink, kind: 'marker', first_index: 19_999 }, { ...ink, points: [0, 0, 0] }],
    [
      {},
      inkWithoutPoints,
      { ...ink, points: [] },
      { ...ink, points: Array(151).fill(0) },
      { ...ink, points: [1, 2, 0.5] },
      { ...ink, element_id: 'short' },
      { ...ink, kind: 'text' },
      { ...ink, color: 'red' },
      { ...ink, width: 0 },
      { ...ink, first_index: -1 },
      { ...ink, page_id: 'page0001' },
    ],
  ],
  'board.pointer': [
    [{ position: null }, { position: { x: 800, y: 450 } }, { position: { x: -1, y: 0 } }],
    [
      {},
      { position: {} },
      { position: { x: 1 } },
      { position: { x: 0.5, y: 0 } },
      { position: { x: 100_001, y: 0 } },
      { position: null, page_id: 'page0001' },
    ],
  ],
})

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
