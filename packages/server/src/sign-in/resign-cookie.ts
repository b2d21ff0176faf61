import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Signs better-auth's cookie of this name with the first secret if one of the other secrets signed
 * it, so that sessions survive a rotation. The rest of the header is unchanged.
 */
export function resignCookie(header: string, name: string, [current, ...former]: readonly string[]): string {
  if (current === undefined || former.length === 0) return header;
  const pattern = new RegExp(`((?:^|; *)(?:__Secure-)?${name.replaceAll('.', '\\.')}=)([^;]*)`, 'g');
  return header.replace(pattern, (whole, start: string, value: string) => {
    const [, token, signature] = /^(.+)\.([^.]+)$/.exec(decoded(value)) ?? [];
    if (token === undefined || !former.some((secret) => isSame(signature!, signatureOf(token, secret)))) {
      return whole;
    }
    return start + encodeURIComponent(`${token}.${signatureOf(token, current)}`);
  });
}

/** Signs like better-auth: HMAC-SHA256 in base64. */
function signatureOf(token: string, secret: string): string {
  return createHmac('sha256', secret).update(token).digest('base64');
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Decodes a cookie's value. If that fails, returns an empty text, which matches no signature. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}
