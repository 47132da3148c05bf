/** What the browser loads to enter a room, in one file of its own: pages before the room do without it. */
export { enterRoom } from './enter-room.ts'
export { RoomPage } from './RoomPage.tsx'
