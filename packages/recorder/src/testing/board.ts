import type { BoardPicture } from '../board/board-pictures.ts'

/** All pictures of a scene, which the recorder has one after the other. */
export async function collected(pictures: AsyncIterable<BoardPicture>): Promise<BoardPicture[]> {
  const all: BoardPicture[] = []
  for await (const { frame, i420 } of pictures) all.push({ frame, i420: Buffer.from(i420) })
  return all
}
