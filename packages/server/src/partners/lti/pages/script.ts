/**
 * The script of the pages of a launch: a secret that the server made is stored where only this browser finds it, in the
 * storage of the platform (LTI postMessage Storage 1.0), or else of the tab, and is sent back after the platform has
 * answered. Without any storage the launch begins again in a window of its own.
 */
export const PAGE_SCRIPT = `'use strict';
const page = JSON.parse(document.getElementById('data').textContent);
const show = id => {
  for (const each of document.querySelectorAll('[data-part]')) each.hidden = each.id !== id;
};
const inFrame = () => window.parent !== window;

const askPlatform = message => new Promise((resolve, reject) => {
  const target = page.storageTarget;
  const outer = inFrame() ? window.parent : window.opener;
  const frame = !target || !outer ? null : target === '_parent' ? outer : outer.frames[target];
  if (!frame) return reject(new Error('no storage of the platform'));
  const id = crypto.randomUUID();
  const timer = setTimeout(() => end(reject, new Error('no answer')), 3000);
  const end = (settle, value) => {
    clearTimeout(timer);
    window.removeEventListener('message', onMessage);
    settle(value);
  };
  const onMessage = ({ data, origin }) => {
    if (origin !== page.platformOrigin || !data || data.message_id !== id) return;
    if (data.subject !== message.subject + '.response') return;
    if (data.error) end(reject, new Error('refused'));
    else end(resolve, data.value);
  };
  window.addEventListener('message', onMessage);
  try {
    frame.postMessage({ ...message, message_id: id }, page.platformOrigin);
  } catch (error) {
    end(reject, error);
  }
});

const store = async () => {
  try {
    await askPlatform({ subject: 'lti.put_data', key: page.key, value: page.binding });
  } catch {
    sessionStorage.setItem(page.key, page.binding);
  }
};

const load = async () => {
  const found = await askPlatform({ subject: 'lti.get_data', key: page.key }).catch(() => null);
  if (found) return found;
  const stored = sessionStorage.getItem(page.key);
  sessionStorage.removeItem(page.key);
  return stored;
};

const enter = async title => {
  const body = JSON.stringify({ state: page.state, binding: await load(), title });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(page.enterUrl, { method: 'POST', headers, body });
  if (!response.ok) throw new Error('refused');
  const { location: next, action, fields } = await response.json();
  if (next) return window.location.replace(next);
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action });
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement('input'), { type: 'hidden', name, value }));
  document.body.append(form);
  form.submit();
};

const failed = () => show('failed');
const pages = {
  start: () => store().then(
    () => window.location.replace(page.authorizationUrl),
    () => show(inFrame() ? 'blocked' : 'failed'),
  ),
  enter: () => enter('').catch(failed),
  choose: () => {
    show('choose');
    document.getElementById('choose').addEventListener('submit', event => {
      event.preventDefault();
      // The launch is used by the first press.
      show('opening');
      enter(event.target.elements.title.value).catch(failed);
    });
  },
  registered: () => {
    show('registered');
    (window.opener || window.parent).postMessage({ subject: 'org.imsglobal.lti.close' }, '*');
  },
  failed,
};
pages[page.is]();
`
