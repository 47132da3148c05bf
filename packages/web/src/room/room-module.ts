/** Entry point of the room's code, which is loaded separately: earlier pages do without it. */
export { PreparedConnection } from '../call/prepared-connection.ts'
export { enterRoom } from './enter-room.ts'
export { RoomPage } from './RoomPage.tsx'
