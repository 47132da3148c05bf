export const callEnded = {
  again: 'Volver a unirse',
  reload: 'Recargar página',
  left: { title: 'Has salido de la reunión', text: 'La reunión continúa sin ti.' },
  removed: {
    title: 'Te han expulsado de la reunión',
    text: 'Te expulsó un moderador. Podrás volver cuando un moderador te permita entrar.',
    text_teacher: 'Te expulsó el docente. Podrás volver cuando el docente te permita entrar.',
  },
  ended: { title: 'La reunión ha terminado', text: 'Puedes cerrar esta página.' },
  closed: { title: 'Se cerró esta sala', text: 'La reunión ha terminado. Puedes cerrar esta página.' },
  cancelled: { title: 'Esta reunión se canceló', text: 'No se celebrará.' },
  denied: {
    title: 'Rechazaron tu solicitud para entrar',
    text: 'Puedes volver a pedirlo dentro de unos minutos.',
  },
  timed_out: { title: 'Nadie te dejó entrar', text: 'Esperaste mucho tiempo. Puedes volver a pedirlo.' },
  lobby_full: {
    title: 'Hay demasiadas personas esperando',
    text: 'La sala de espera está llena. Vuelve a intentarlo dentro de unos minutos.',
  },
  plain_link_closed: {
    title: 'Esta sala requiere un enlace personal',
    text: 'Pide tu enlace personal a quien te invitó.',
  },
  full: { title: 'La reunión está llena', text: 'Vuelve a intentarlo cuando alguien haya salido.' },
  too_many_devices: {
    title: 'Te uniste desde demasiados dispositivos',
    text: 'Sal de la reunión en otra pestaña o en otro dispositivo y vuelve a intentarlo.',
  },
  not_found: {
    title: 'Esta sala ya no existe',
    text: 'Pide un enlace nuevo a quien te invitó.',
  },
  link_rotated: {
    title: 'Tu enlace se ha sustituido',
    text: 'Hay un enlace más reciente a esta sala. Pídelo a quien te invitó.',
  },
  link_invalid: {
    title: 'Tu enlace ya no es válido',
    text: 'Pide uno nuevo a quien te invitó.',
  },
  guests_not_allowed: {
    title: 'Los invitados no pueden unirse a esta reunión',
    text: 'Pide un enlace personal a quien te invitó.',
  },
  signed_out: {
    title: 'Se cerró tu sesión',
    text: 'Vuelve a unirte. Si no funciona, borra los datos de este sitio en la configuración del navegador y abre el enlace otra vez.',
  },
  account_deleted: {
    title: 'Tu cuenta se ha eliminado',
    text: 'Vuelve a abrir tu enlace o pide uno nuevo a quien te invitó.',
  },
  incompatible: {
    title: 'Esta página no está actualizada',
    text: 'El servidor se ha actualizado. Recarga la página para volver a unirte.',
  },
  refused: {
    title: 'No pudiste unirte',
    text: 'El servidor no te dejó entrar. Vuelve a intentarlo; si no funciona, contacta con quien te invitó.',
  },
}
