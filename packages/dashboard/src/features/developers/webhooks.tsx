import { Section } from '../../ui/page.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { WebhookSecret } from './webhook-secret.tsx';

/** Shows the secret that signs v1's webhooks, and the sent events. */
export function Webhooks() {
  return (
    <>
      <Section title="Webhook secret">
        <WebhookSecret />
      </Section>
      <Section title="Webhook deliveries">
        <WebhookDeliveries />
      </Section>
    </>
  );
}
