/** Entry point of the room's code, which is loaded separately: earlier pages do without it. */
export { enterRoom } from './enter-room.ts'
export { RoomPage } from './RoomPage.tsx'
