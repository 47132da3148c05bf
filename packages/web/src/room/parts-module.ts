/** Code that is needed only after something was pressed in the room: loaded when the room is shown. */
export { MoreMenu } from './more/MoreMenu.tsx'
export { Panel } from './panel/Panel.tsx'
export { PipView } from './pip/PipView.tsx'
export { RoomDialogs } from './RoomDialogs.tsx'
export { ShareMenu } from './sharing/ShareMenu.tsx'
