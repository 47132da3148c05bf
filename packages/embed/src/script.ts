/** `/embed.js` of every server: defines `<lectern-room>`, and has the class as `Lectern.LecternRoom`. */
import './element.ts'

export * from './index.ts'
