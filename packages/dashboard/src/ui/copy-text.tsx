import '@mantine/core/styles/Code.css';
import { Button, Code, CopyButton } from '@mantine/core';

/** Shows a text with a button that copies it. */
export function CopyText({ text, name }: { text: string; name: string }) {
  return (
    <div>
      <Code block tabIndex={0} aria-label={name} mah={360} style={{ overflow: 'auto' }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Button variant="default" size="xs" mt={6} onClick={copy}>
            {copied ? 'Copied' : `Copy ${name}`}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
