export const refused = {
  link_incomplete: {
    title: 'Este enlace está incompleto',
    text: 'Falta una parte de la dirección. Copia el enlace completo del mensaje que recibiste o ábrelo desde ahí.',
  },
  link_foreign: {
    title: 'Este enlace está dañado',
    text: 'Puede que haya cambiado al copiarlo o que sea de otro servidor. Cópialo de nuevo o pide uno nuevo a quien te invitó.',
  },
  link_rotated: {
    title: 'Este enlace se ha sustituido',
    text: 'Hay un enlace más reciente a esta sala. Pídelo a quien te invitó.',
  },
  room_closed: {
    title: 'Esta sala está cerrada',
    text: 'La reunión ha terminado. Si esperabas que continuara, contacta con quien te invitó.',
  },
  plain_link_closed: {
    title: 'Esta sala requiere un enlace personal',
    text: 'Pide tu enlace personal a quien te invitó.',
  },
  room_cancelled: {
    title: 'Esta reunión se canceló',
    text: 'No se celebrará. Pregunta a quien te invitó por otra fecha.',
  },
  account_deleted: {
    title: 'Esta cuenta se ha eliminado',
    text: 'La cuenta a la que pertenece este enlace ya no existe. Pide un enlace nuevo a quien te invitó.',
  },
  account_disabled: {
    title: 'Esta cuenta está desactivada',
    text: 'Un administrador ha desactivado la cuenta a la que pertenece este enlace. Consulta a quien te invitó.',
  },
  room_not_found: {
    title: 'Esta sala ya no existe',
    text: 'El enlace es válido, pero se eliminó su sala. Pide un enlace nuevo a quien te invitó.',
  },
  conference_not_found: {
    title: 'Esta reunión no existe',
    text: 'Revisa la dirección o pide el enlace a quien te invitó.',
  },
  links_off: {
    title: 'Los enlaces personales están desactivados',
    text: 'Este servidor no acepta enlaces personales en este momento. Avisa a quien te invitó.',
  },
  unknown: {
    title: 'No se pudo abrir este enlace',
    text: 'El servidor envió una respuesta inesperada. Recarga la página; si no funciona, contacta con quien te invitó.',
  },
}

export const problem = {
  unreachable: {
    title: 'No hay conexión con el servidor',
    text: 'Revisa tu conexión a internet. Esta página lo seguirá intentando automáticamente.',
  },
  failing: {
    title: 'El servidor tiene problemas',
    text: 'Es probable que tu enlace esté bien. Esta página lo seguirá intentando automáticamente.',
  },
  rate_limited: {
    title: 'Demasiados intentos',
    text: 'Hubo demasiadas solicitudes desde tu red. Esta página volverá a intentarlo automáticamente.',
  },
  next: 'Próximo intento {{when}}',
  now: 'Intentándolo de nuevo…',
  again: 'Reintentar',
}

export const loading = {
  title: 'Cargando…',
  text: 'Está tardando más de lo normal. Revisa tu conexión a internet.',
  failed: 'No se pudo cargar la página',
  failedText: 'Es posible que el servidor se esté actualizando. Recarga la página en un momento.',
}

export const notFound = {
  title: 'Página no encontrada',
  text: 'Abre el enlace de tu invitación. Si escribiste la dirección, revísala.',
}
