/** Code that is needed only after something was pressed in the room, and at its end: loaded when the room is shown. */
export { CallEndedPage } from './ended/CallEndedPage.tsx'
export { MoreMenu } from './more/MoreMenu.tsx'
export { Panel } from './panel/Panel.tsx'
export { PipView } from './pip/PipView.tsx'
export { RoomDialogs } from './RoomDialogs.tsx'
export { ReactionStrip } from './reactions/ReactionStrip.tsx'
export { ShareMenu } from './sharing/ShareMenu.tsx'
export { SharingBar } from './sharing/SharingBar.tsx'
