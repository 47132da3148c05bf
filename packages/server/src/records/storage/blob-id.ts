import { randomBytes } from 'node:crypto'

export const newBlobId = () => `b_${randomBytes(16).toString('hex')}`

export const isBlobId = (text: string) => /^b_[0-9a-f]{32}$/.test(text)
