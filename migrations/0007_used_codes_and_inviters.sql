-- The 30-second time step of the last accepted code of the authenticator app. Earlier codes and this code are refused.
-- NULL: no code was accepted yet.
ALTER TABLE two_factors ADD COLUMN last_step INTEGER;

-- The id of the user who created the invitation. The invitation is deleted when this user stops being an owner. NULL in
-- invitations of earlier versions.
ALTER TABLE invitations ADD COLUMN inviter_id TEXT;
