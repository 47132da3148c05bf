/** The bodies of the commands of the board: the kind of target, valid bodies, invalid ones. */

const page_id = 'page0001'
const session = 'conference_session'
const id = { page_id, element_id: 'element-1', version: 1 }
const strokeData = { points: [100, 200, 128, 5, -3, 0], color: '#1a2b3c', width: 3, duration_ms: 900 }
const stroke = { ...id, kind: 'stroke', data: strokeData }
const shapeData = { x1: 0, y1: 0, x2: 1600, y2: 900, color: '#000000', width: 2 }
const shape = { ...id, kind: 'rectangle', data: shapeData }
const textData = { x: 10, y: 20, width: 300, text: 'x = 3', size: 24, color: '#ff0000' }
const written = { ...id, kind: 'text', data: textData }
const imageData = { x: 0, y: 0, width: 320, height: 200, file_id: 'f.1' }
const image = { ...id, kind: 'image', data: imageData }
const some = [{ element_id: 'element-1', version: 2 }]
const many = count => Array.from({ length: count }, (_, i) => ({ element_id: `element-${i}`, version: 1 }))

const ofPage = [
  session,
  [{ page_id }, { page_id: 'a_b-c_d-e_f-g_h-' }],
  [{}, { page_id: null }, { page_id: 'short' }, { page_id: 'seventeen-letters' }, { page_id, x: 1 }],
]
const ofElements = [
  session,
  [
    { page_id, elements: some },
    { page_id, elements: many(200) },
  ],
  [
    {},
    { page_id },
    { page_id, elements: [] },
    { page_id, elements: many(201) },
    { page_id, elements: ['element-1'] },
    { page_id, elements: [{ element_id: 'element-1' }] },
    { page_id, elements: [{ element_id: 'element-1', version: 0 }] },
    { page_id, elements: [{ element_id: 'element-1', version: 1.5 }] },
    { page_id, elements: [{ element_id: 'element-1', version: 2_147_483_648 }] },
  ],
]

export const boardBodies = {
  'board.put': [
    session,
    [
      stroke,
      { ...stroke, kind: 'marker', z: 0 },
      shape,
      { ...shape, kind: 'arrow', data: { ...shapeData, fill: '#ffffff' } },
      written,
      { ...written, data: { ...textData, text: 'ä'.repeat(4000) } },
      image,
      { ...image, data: { ...imageData, alt: 'A map' } },
    ],
    [
      {},
      { ...stroke, kind: 'text' },
      { ...stroke, kind: 'cloud' },
      { ...stroke, data: {} },
      { ...stroke, data: { ...strokeData, points: [1, 2] } },
      { ...stroke, data: { ...strokeData, points: [0.5, 0, 0] } },
      { ...stroke, data: { ...strokeData, color: '#FFF' } },
      { ...stroke, data: { ...strokeData, width: 0 } },
      { ...stroke, data: { ...strokeData, author_id: '7' } },
      { ...stroke, author_id: '7' },
      { ...stroke, element_id: 'short' },
      { ...stroke, element_id: 'x'.repeat(33) },
      { ...stroke, element_id: 'with space' },
      { ...stroke, version: 0 },
      { ...stroke, version: '1' },
      { ...stroke, z: -1 },
      { ...shape, data: { ...shapeData, x1: 100_001 } },
      { ...shape, data: { ...shapeData, fill: null } },
      { ...written, data: { ...textData, text: '' } },
      { ...written, data: { ...textData, text: 'x'.repeat(4001) } },
      { ...written, data: { ...textData, text: 'a\u0000' } },
      { ...image, data: { ...imageData, file_id: '../x' } },
    ],
  ],
  'board.delete': ofElements,
  'board.restore': ofElements,
  'board.move': [
    session,
    [
      { page_id, dx: 10, dy: -10, elements: some },
      { page_id, dx: 0, dy: 0, elements: many(200) },
    ],
    [
      { page_id, elements: some },
      { page_id, dx: 1, elements: some },
      { page_id, dx: 0.5, dy: 0, elements: some },
      { page_id, dx: 100_001, dy: 0, elements: some },
      { page_id, dx: 1, dy: 1, elements: [] },
    ],
  ],
  'board.page_add': [
    session,
    [
      { page_id },
      { page_id, after_page_id: 'page0002', width: 1600, height: 1200, background: { kind: 'squared' } },
      { page_id, background: { kind: 'image', file_id: 'f.1' } },
      { page_id, background: { kind: 'document', file_id: 'f.1', page_number: 300 } },
    ],
    [
      {},
      { page_id: 'short' },
      { page_id, width: 99 },
      { page_id, height: 10_001 },
      { page_id, background: 'blank' },
      { page_id, background: { kind: 'image' } },
      { page_id, background: { kind: 'blank', file_id: 'f.1' } },
      { page_id, background: { kind: 'document', file_id: 'f.1', page_number: 0 } },
      { page_id, owner_id: '7' },
    ],
  ],
  'board.page_remove': [
    session,
    [{ page_id }, { page_id, copies: true }],
    [{}, { page_id: 'short' }, { page_id, copies: 1 }],
  ],
  'board.page_order': [
    session,
    [{ page_ids: [page_id] }, { page_ids: [page_id, 'page0002'] }],
    [
      {},
      { page_ids: [] },
      { page_ids: ['short'] },
      { page_ids: Array.from({ length: 201 }, (_, i) => `page-${1000 + i}`) },
    ],
  ],
  'board.page_show': [
    session,
    [{ page_id }, { page_id: null }],
    [{}, { page_id: 'short' }, { page_id, more: 1 }],
  ],
  'board.page_clear': ofPage,
  'board.set_rights': [
    session,
    [
      { mode: 'everybody' },
      { mode: 'nobody' },
      { mode: 'moderators' },
      { mode: 'chosen', user_ids: ['7'] },
      { mode: 'everybody', look_around: false },
    ],
    [
      {},
      { mode: 'all' },
      { mode: null },
      { mode: 'chosen', user_ids: [7] },
      { user_ids: ['7'] },
      { mode: 'everybody', look_around: 0 },
    ],
  ],
  'board.hand_out': ofPage,
  'board.show_copy': ofPage,
  'board.watch': ofPage,
  'board.unwatch': ofPage,
}
